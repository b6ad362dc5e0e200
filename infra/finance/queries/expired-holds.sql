-- Expired holds
-- Requests that never ended: after half an hour their hold was given back and nothing was charged.
-- Some after a crash are normal. Many mean that charges are lost: tell the operators.
SELECT
  day,
  account_id,
  count(*) AS expired_holds,
  sum(hold_usd) AS given_back_usd
FROM ledger
WHERE kind = 'expiry' AND reference IS NULL
GROUP BY day, account_id
ORDER BY day, account_id
