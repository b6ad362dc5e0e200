import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../build.ts';
import { costPage } from './page.ts';

/** `npm run cost`: computes docs/cost.md anew. */
writeFileSync(join(PROJECT_ROOT, 'docs', 'cost.md'), costPage());
