// Starts the gateway in one role, for the figures that `npm start` (role all) does not give: `node server/bench/start-gateway.ts api`.
import { readProcessConfig, type Role } from '../config.ts'
import { startGateway } from '../main.ts'

const gateway = await startGateway(readProcessConfig(), { role: process.argv[2] as Role })
let stopping = false
const stop = () => {
  if (stopping) return
  stopping = true
  void gateway.stop().then(() => process.exit(0))
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
// The bench went away: so do we.
process.on('disconnect', stop)
