-- Spend by key
-- One row for each API key, the largest spend first.
SELECT
  account_id,
  key_id,
  sum(requests) AS requests,
  coalesce(sum(all_input_tokens), 0) AS all_input_tokens,
  coalesce(sum(output_tokens), 0) AS all_output_tokens,
  sum(charge_usd) AS spend_usd
FROM ledger
WHERE kind IN ('charge', 'late_charge', 'release')
GROUP BY account_id, key_id
ORDER BY spend_usd DESC, key_id
