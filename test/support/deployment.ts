import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterAll } from 'vitest';
import { FUNCTION_NAMES } from '../../infra/aws/build.ts';
import type { Deployment } from '../../infra/aws/function.ts';
import { readSettings } from '../../infra/aws/settings.ts';

/**
 * A deployment of one environment, by the CDK context `{ env: 'dev', ... }`. Real bundles are the
 * business of `cdk synth`; the templates are the same with empty ones.
 */
export function testDeployment(context: Readonly<Record<string, unknown>>): Deployment {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-deployment-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const bundlesFolder = join(folder, 'bundles');
  for (const name of FUNCTION_NAMES) {
    mkdirSync(join(bundlesFolder, name), { recursive: true });
    writeFileSync(join(bundlesFolder, name, 'index.mjs'), '');
  }
  const layerFolder = join(folder, 'layer');
  mkdirSync(join(layerFolder, 'catalog'), { recursive: true });
  writeFileSync(join(layerFolder, 'catalog', 'catalog.json'), '{}');
  const app = new App({ context, outdir: join(folder, 'cdk.out') });
  return { app, settings: readSettings((name) => context[name]), bundlesFolder, layerFolder };
}
