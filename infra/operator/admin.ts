import { runAdmin } from './run-admin.ts';

const { code, stdout, stderr } = await runAdmin(process.argv.slice(2), process.env);
if (stdout !== '') console.log(stdout);
if (stderr !== '') console.error(stderr);
process.exitCode = code;
