// The end of `npm ci`: compiles what `npm start` loads, so that the first start on a machine need not.
import { useCompileCache } from './compile-cache.ts'

useCompileCache()
await import('./cli/program.ts')
await import('./cli/serve.ts')
await import('./cli/run-server.ts')
await import('./start/gateway.ts')
