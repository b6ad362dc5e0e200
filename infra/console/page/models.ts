import { isoDate, isRetired } from '../../../shared/catalog/public.ts';
import type { Catalog, Deployment, MeterPrice } from '../../../shared/catalog/types.ts';
import { element } from './dom.ts';

const model = element('model', HTMLInputElement);
const prices = element('prices', HTMLParagraphElement);

/** Fills the list of models, and shows the prices of the one that is chosen. */
export async function showModels(): Promise<void> {
  const response = await fetch('/v1/catalog');
  // The gateway's own document, from the same version of the code.
  const { graph } = (await response.json()) as Catalog;
  const today = isoDate(Date.now());
  const offered = Object.values(graph.deployments).filter(
    (deployment) => !isRetired(deployment, today),
  );
  const names = new Set(offered.flatMap((deployment) => [deployment.model, deployment.id]));
  element('models', HTMLDataListElement).replaceChildren(
    ...[...names].sort().map((name) => new Option(graph.models[name]?.name ?? '', name)),
  );
  const show = () => {
    prices.textContent = describe(offered, model.value);
  };
  model.addEventListener('input', show);
  show();
}

function describe(offered: readonly Deployment[], name: string): string {
  const deployment =
    offered.find(({ id }) => id === name) ??
    offered.find((one) => one.model === name && one.upstream.serviceTier !== 'flex');
  if (deployment === undefined)
    return 'Another name, or one with markers: the gateway resolves it.';
  const { input_tokens: input, output_tokens: output } = deployment.prices;
  return [
    `${deployment.provider}`,
    `input ${priceText(input)}`,
    `output ${priceText(output)} per million tokens`,
    `context ${deployment.contextWindow.toLocaleString('en')}`,
  ].join(' · ');
}

function priceText(price: MeterPrice | undefined): string {
  return price !== undefined && 'perMillion' in price ? `$${price.perMillion}` : 'by call';
}
