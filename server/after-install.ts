// Runs at the end of `npm ci`: it does what would otherwise slow down the first start on a machine.
import { loadWhole } from './start/whole.ts'

await import('./admin/cli/program.ts')
await import('./admin/cli/serve.ts')
await import('./admin/cli/run-server.ts')
await loadWhole()
const { prepareDatabase } = await import('./prepare-database.ts')
if (!process.argv.includes('--without-database')) await prepareDatabase()
