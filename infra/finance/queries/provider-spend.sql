-- Spend by provider
-- What accounts paid for each month and provider, beside what stayed uncollected: together they are
-- what the provider's invoice should say.
SELECT
  substr(day, 1, 7) AS month,
  provider,
  sum(requests) AS requests,
  sum(CASE WHEN estimated THEN requests ELSE 0 END) AS of_these_estimated,
  sum(charge_usd) AS spend_usd,
  coalesce(sum(uncollected_usd), 0) AS uncollected_usd,
  sum(charge_usd) + coalesce(sum(uncollected_usd), 0) AS invoice_usd
FROM ledger
WHERE kind IN ('charge', 'late_charge', 'release')
GROUP BY substr(day, 1, 7), provider
ORDER BY month, provider
