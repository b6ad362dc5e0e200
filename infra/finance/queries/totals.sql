-- Totals
-- The period in one row: what was given to accounts, what requests took, and what they used.
SELECT
  count(DISTINCT account_id) AS accounts,
  coalesce(sum(requests), 0) AS requests,
  coalesce(sum(charge_usd), 0) AS spend_usd,
  coalesce(sum(CASE WHEN kind = 'credit' THEN amount_usd END), 0) AS credits_usd,
  coalesce(sum(CASE WHEN kind = 'adjustment' THEN amount_usd END), 0) AS adjustments_usd,
  coalesce(sum(effect_usd), 0) AS change_of_balances_usd,
  coalesce(sum(CASE WHEN kind IN ('charge', 'release') THEN hold_usd END), 0) AS held_usd,
  coalesce(sum(uncollected_usd), 0) AS uncollected_usd,
  coalesce(sum(CASE WHEN kind = 'expiry' AND reference IS NULL THEN 1 ELSE 0 END), 0) AS expired_holds,
  coalesce(sum(CASE WHEN estimated THEN 1 ELSE 0 END), 0) AS estimated_requests
FROM ledger
