// Runs in the report's page: draws `ledgerCharts` (see charts.ts) in the colours of its style.
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Legend,
  LinearScale,
  Tooltip,
} from 'chart.js';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Legend, Tooltip);

const SERIES_COLOURS = 4;
const NUMBERS = new Intl.NumberFormat('en-US');
const DOLLARS = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
});

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function datasets(spec) {
  return spec.series.map(({ label, values }, index) => ({
    label,
    data: values,
    backgroundColor: colour(`--series-${(index % SERIES_COLOURS) + 1}`),
    maxBarThickness: spec.lying ? 22 : 48,
    borderRadius: 2,
  }));
}

function shortened(text) {
  return text.length > 34 ? `${text.slice(0, 33)}…` : text;
}

function options(spec) {
  const stacked = spec.series.length > 1;
  const ink = colour('--ink-soft');
  const grid = colour('--line');
  const amounts = {
    stacked,
    beginAtZero: true,
    grid: { color: grid },
    border: { display: false },
    ticks: {
      color: ink,
      maxTicksLimit: 7,
      callback: (value) => (spec.money ? DOLLARS : NUMBERS).format(Number(value)),
    },
  };
  const names = {
    stacked,
    grid: { display: false },
    border: { color: grid },
    ticks: {
      color: ink,
      autoSkip: !spec.lying,
      callback(value) {
        return shortened(this.getLabelForValue(value));
      },
    },
  };
  return {
    animation: false,
    maintainAspectRatio: false,
    indexAxis: spec.lying ? 'y' : 'x',
    interaction: { mode: 'index', axis: spec.lying ? 'y' : 'x', intersect: false },
    scales: spec.lying ? { x: amounts, y: names } : { x: names, y: amounts },
    plugins: {
      legend: { display: stacked, position: 'bottom', labels: { color: ink, boxWidth: 14 } },
      tooltip: {
        callbacks: {
          label: ({ datasetIndex, dataIndex }) => {
            const { label, texts } = spec.series[datasetIndex];
            return `${label}: ${texts[dataIndex]}`;
          },
        },
      },
    },
  };
}

Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;

const charts = globalThis.ledgerCharts.map((spec) => {
  const canvas = document.getElementById(spec.id);
  const chart = new Chart(canvas, {
    type: 'bar',
    data: { labels: spec.labels, datasets: datasets(spec) },
    options: options(spec),
  });
  return { spec, chart };
});

function recolour() {
  for (const { spec, chart } of charts) {
    chart.options = options(spec);
    chart.data.datasets = datasets(spec);
    chart.update('none');
  }
}

// Paper is light whatever the screen is.
for (const query of ['(prefers-color-scheme: dark)', 'print']) {
  matchMedia(query).addEventListener('change', recolour);
}
