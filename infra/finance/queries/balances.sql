-- Balances
-- Each account's balance at the start of the period, what moved it, and the balance at its end. What
-- open holds reserve at that moment is still in the balance.
SELECT
  account_id,
  sum(CASE WHEN day < first_day THEN effect_usd ELSE CAST(0 AS DECIMAL(30, 9)) END) AS opening_usd,
  sum(CASE WHEN day >= first_day AND kind = 'credit' THEN amount_usd
    ELSE CAST(0 AS DECIMAL(30, 9)) END) AS credits_usd,
  sum(CASE WHEN day >= first_day AND kind = 'adjustment' THEN amount_usd
    ELSE CAST(0 AS DECIMAL(30, 9)) END) AS adjustments_usd,
  sum(CASE WHEN day >= first_day THEN charge_usd
    ELSE CAST(0 AS DECIMAL(30, 9)) END) AS spend_usd,
  sum(effect_usd) AS closing_usd
FROM every_entry CROSS JOIN reported_days
WHERE day <= last_day
GROUP BY account_id
ORDER BY closing_usd DESC, account_id
