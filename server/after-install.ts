// Runs at the end of `npm ci`: it does what would otherwise slow down the first start on a machine.
import { useCompileCache } from './compile-cache.ts'

useCompileCache()
await import('./admin/cli/program.ts')
await import('./admin/cli/serve.ts')
await import('./admin/cli/run-server.ts')
await import('./start/gateway.ts')
await import('./start/sandbox-history.ts')
const { prepareDatabase } = await import('./prepare-database.ts')
if (!process.argv.includes('--without-database')) await prepareDatabase()
