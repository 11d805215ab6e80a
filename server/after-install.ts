// The end of `npm ci`: what the first start on a machine would otherwise do while somebody waits for it.
import { useCompileCache } from './compile-cache.ts'

useCompileCache()
await import('./cli/program.ts')
await import('./cli/serve.ts')
await import('./cli/run-server.ts')
await import('./start/gateway.ts')
const { prepareDatabase } = await import('./prepare-database.ts')
await prepareDatabase()
