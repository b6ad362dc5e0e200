-- Spend by model
-- One row for each model and the provider that served it, the largest spend first.
SELECT
  model,
  provider,
  sum(requests) AS requests,
  coalesce(sum(all_input_tokens), 0) AS all_input_tokens,
  coalesce(sum(output_tokens), 0) AS all_output_tokens,
  sum(charge_usd) AS spend_usd
FROM ledger
WHERE kind IN ('charge', 'late_charge', 'release')
GROUP BY model, provider
ORDER BY spend_usd DESC, model, provider
