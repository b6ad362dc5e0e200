-- Holds and charges
-- Before a request is sent, the most that it can cost is held; afterwards it is charged what it did
-- cost and the rest is given back. A small share charged means that holds keep money idle.
SELECT
  model,
  sum(requests) AS requests,
  sum(hold_usd) AS held_usd,
  sum(charge_usd) AS charged_usd,
  sum(hold_usd) - sum(charge_usd) AS given_back_usd,
  CASE WHEN sum(hold_usd) = 0 THEN NULL ELSE
    CAST(round(100 * CAST(sum(charge_usd) AS DOUBLE) / CAST(sum(hold_usd) AS DOUBLE), 1)
      AS DECIMAL(5, 1)) END AS share_charged_percent
FROM ledger
WHERE kind IN ('charge', 'release')
GROUP BY model
ORDER BY held_usd DESC, model
