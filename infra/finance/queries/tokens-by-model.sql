-- Tokens by model
-- Where the tokens went. Kinds of input do not overlap: their sum is all input. Reasoning tokens are
-- part of the output tokens.
SELECT
  model,
  coalesce(sum(input_tokens), 0) AS plain_input_tokens,
  coalesce(sum(cached_input_tokens), 0) AS cached_tokens,
  coalesce(sum(coalesce(cache_write_input_tokens, 0) + coalesce(cache_write_5m_input_tokens, 0)
    + coalesce(cache_write_1h_input_tokens, 0)), 0) AS cache_write_tokens,
  coalesce(sum(output_tokens), 0) AS all_output_tokens,
  coalesce(sum(reasoning_tokens), 0) AS of_these_reasoning_tokens
FROM ledger
WHERE kind IN ('charge', 'late_charge')
GROUP BY model
ORDER BY all_output_tokens DESC, model
