import { writeFileSync } from 'node:fs';
import { openapiText } from './document.ts';

// `npm run openapi`: writes the checked-in document anew.
writeFileSync(new URL('../../openapi.json', import.meta.url), openapiText());
