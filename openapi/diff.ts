// `npm run diff -- old-openapi.json`: names the changes between an older contract and this one, and which of them break
// clients. Options of `redocly diff` may follow.
import { redoclyInTerminal } from './redocly.ts'

const [before, ...options] = process.argv.slice(2)
if (before === undefined) {
  console.error('usage: npm run diff -- <older contract>')
  process.exit(2)
}
process.exitCode = redoclyInTerminal('diff', before, 'generated/openapi.json', ...options)
