import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import { element, readData, showFacts } from './dom.ts';

interface Activity {
  readonly now: number;
  readonly windowMs: number;
  readonly accounts: readonly {
    readonly name: string;
    readonly availableUsd: string;
    readonly heldUsd: string;
    readonly openHolds: number;
    readonly keys: readonly { readonly keyId: string; readonly name: string }[];
    readonly entries: readonly Entry[];
  }[];
}

interface Entry {
  readonly requestId: string | null;
  readonly createdAt: string;
  readonly amountUsd?: string;
  readonly modelRequested?: string;
  readonly keyId?: string;
}

const EVERY_MS = 2_000;
const MINUTE_MS = 60_000;
const MOST_BARS = 8;
const MOST_SAMPLES = 300;

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
);

type Kind = 'bar' | 'line';

function draw(
  id: string,
  type: Kind,
  options: { lying?: boolean } = {},
): Chart<Kind, number[], string> {
  return new Chart<Kind, number[], string>(element(id, HTMLCanvasElement), {
    type,
    data: { labels: [], datasets: [{ data: [], borderWidth: 1.5, pointRadius: 0 }] },
    options: {
      animation: false,
      maintainAspectRatio: false,
      indexAxis: options.lying ? 'y' : 'x',
      scales: { x: { beginAtZero: true }, y: { beginAtZero: true } },
    },
  });
}

/** Draws the charts, and draws them anew every two seconds while the page is seen. */
export async function showActivity(): Promise<void> {
  const charts = {
    requests: draw('requests-chart', 'bar'),
    models: draw('models-chart', 'bar', { lying: true }),
    keys: draw('keys-chart', 'bar', { lying: true }),
    holds: draw('holds-chart', 'line'),
  };
  const holds = new Map<string, number>();
  const refresh = async () => {
    const activity = await readData<Activity>('activity');
    if (activity === undefined) return;
    const entries = activity.accounts.flatMap((account) => account.entries).filter(isRequest);
    const open = activity.accounts.reduce((sum, account) => sum + account.openHolds, 0);
    holds.set(new Date(activity.now).toLocaleTimeString(), open);
    for (const old of [...holds.keys()].slice(0, -MOST_SAMPLES)) holds.delete(old);
    fill(charts.requests, perMinute(entries, activity));
    fill(
      charts.models,
      spendBy(entries, ({ modelRequested }) => modelRequested ?? 'unknown'),
    );
    fill(
      charts.keys,
      spendBy(entries, ({ keyId }) => keyName(activity, keyId)),
    );
    fill(charts.holds, holds);
    showTotals(activity, entries, open);
  };
  const colours = matchMedia('(prefers-color-scheme: dark)');
  colours.addEventListener('change', () => paint(Object.values(charts)));
  paint(Object.values(charts));
  await refresh();
  setInterval(() => {
    if (!document.hidden) refresh().catch(console.error);
  }, EVERY_MS);
}

function isRequest({ requestId }: Entry): boolean {
  return requestId !== null;
}

function perMinute(entries: readonly Entry[], { now, windowMs }: Activity): Map<string, number> {
  const counts = new Map<string, number>();
  const label = (timeMs: number) =>
    new Date(timeMs).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  for (let at = now - windowMs + MINUTE_MS; at <= now; at += MINUTE_MS) counts.set(label(at), 0);
  for (const { createdAt } of entries) {
    const minute = label(Date.parse(createdAt));
    counts.set(minute, (counts.get(minute) ?? 0) + 1);
  }
  return counts;
}

/** The largest spenders. For the eye: the exact amounts are in the ledger. */
function spendBy(entries: readonly Entry[], nameOf: (entry: Entry) => string): Map<string, number> {
  const spend = new Map<string, number>();
  for (const entry of entries) {
    const name = nameOf(entry);
    spend.set(name, (spend.get(name) ?? 0) + Number(entry.amountUsd ?? 0));
  }
  return new Map([...spend].sort(([, one], [, other]) => other - one).slice(0, MOST_BARS));
}

function keyName({ accounts }: Activity, keyId: string | undefined): string {
  const keys = accounts.flatMap((account) => account.keys);
  return keys.find((key) => key.keyId === keyId)?.name || keyId || 'unknown';
}

function fill(chart: Chart<Kind, number[], string>, values: ReadonlyMap<string, number>): void {
  chart.data.labels = [...values.keys()];
  const [series] = chart.data.datasets;
  if (series !== undefined) series.data = [...values.values()];
  chart.update();
}

/** Takes the page's colours: a canvas does not follow the style sheet. */
function paint(charts: readonly Chart<Kind, number[], string>[]): void {
  const probe = document.body.appendChild(document.createElement('i'));
  const colour = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const [text, line, accent] = [colour('--quiet'), colour('--line'), colour('--accent')];
  probe.remove();
  for (const chart of charts) {
    const grid = { ticks: { color: text }, grid: { color: line } };
    chart.options.scales = {
      x: { ...grid, beginAtZero: true },
      y: { ...grid, beginAtZero: true },
    };
    const [series] = chart.data.datasets;
    if (series !== undefined)
      Object.assign(series, { backgroundColor: accent, borderColor: accent });
    chart.update();
  }
}

function showTotals({ accounts }: Activity, entries: readonly Entry[], open: number): void {
  const spent = entries.reduce((sum, { amountUsd }) => sum + Number(amountUsd ?? 0), 0);
  showFacts(element('totals', HTMLElement), {
    Requests: entries.length,
    Spent: `$${spent.toFixed(6)}`,
    'Holds open': open,
    ...Object.fromEntries(
      accounts.map(({ name, availableUsd }) => [`Available to ${name}`, `$${availableUsd}`]),
    ),
  });
}
