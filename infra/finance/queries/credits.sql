-- Credits and adjustments
-- Money that was put on accounts or corrected by hand, oldest first.
SELECT day, account_id, kind, amount_usd, reference, reason
FROM ledger
WHERE kind IN ('credit', 'adjustment')
ORDER BY created_at_ms, account_id, sk
