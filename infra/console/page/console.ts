import { showActivity } from './activity.ts';
import { readData } from './dom.ts';
import { showModels } from './models.ts';
import { enableTrying } from './try.ts';

const session = await readData<{ readonly apiKey: string }>('session');
enableTrying(session?.apiKey ?? '');
await Promise.all([showModels(), showActivity()]);
