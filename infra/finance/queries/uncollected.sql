-- Uncollected amounts
-- Requests that cost more than was held, or than was left after the hold had expired: the provider
-- will bill the difference, and no account has paid it.
SELECT day, account_id, model, hold_usd, charge_usd AS charged_usd, uncollected_usd, request_id
FROM ledger
WHERE uncollected_usd > 0
ORDER BY uncollected_usd DESC, request_id
