-- How requests ended
-- Completed: answered in full. Interrupted: broke off, charged for what came. Refused: the provider
-- said no, and nothing was charged. Failed: the provider failed before any output, nothing charged.
-- Estimated: the provider reported no usage, so the gateway counted.
SELECT
  status,
  sum(requests) AS requests,
  sum(CASE WHEN estimated THEN requests ELSE 0 END) AS of_these_estimated,
  sum(charge_usd) AS spend_usd
FROM ledger
WHERE kind IN ('charge', 'release')
GROUP BY status
ORDER BY requests DESC, status
