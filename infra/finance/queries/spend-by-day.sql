-- Spend by day
-- One row for each day (UTC) on which a request was finished.
SELECT
  day,
  sum(requests) AS requests,
  coalesce(sum(all_input_tokens), 0) AS all_input_tokens,
  coalesce(sum(output_tokens), 0) AS all_output_tokens,
  sum(charge_usd) AS spend_usd
FROM ledger
WHERE kind IN ('charge', 'late_charge', 'release')
GROUP BY day
ORDER BY day
