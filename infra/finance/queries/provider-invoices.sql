-- Provider invoices
-- To lay beside the providers' invoices: for each month, provider and deployment how many tokens or
-- calls at which price per million tokens (or per thousand calls), and what that comes to. Spend and
-- uncollected amounts together are a trace more: each request is rounded up to a nano-dollar.
SELECT
  substr(day, 1, 7) AS month,
  provider,
  deployment,
  meter,
  sum(units) AS units,
  CAST(unit_price_usd * CASE WHEN meter LIKE '%_calls' THEN 1000 ELSE 1000000 END
    AS DECIMAL(20, 9)) AS price_usd,
  CASE WHEN meter LIKE '%_calls' THEN 'thousand calls' ELSE 'million tokens' END AS price_for,
  CAST(sum(CAST(units AS DECIMAL(18, 0)) * unit_price_usd) AS DECIMAL(38, 9)) AS cost_usd
FROM usage_lines
GROUP BY substr(day, 1, 7), provider, deployment, meter, unit_price_usd
ORDER BY month, provider, deployment, meter, price_usd
