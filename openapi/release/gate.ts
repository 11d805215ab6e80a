// Names what changed in the contract since the last release, and fails when package.json and CHANGELOG.md do not say
// so.
//   node openapi/release/gate.ts           what the tests check too
//   node openapi/release/gate.ts --renew at a release: the current contract becomes the released one; refused
//   while a change is not declared
// The last release is the last tag, and before the first one released.json. Without both nothing was released, and
// --renew takes whatever the contract is.
import { readReleased, renew, verdictSince } from './released.ts'

const released = await readReleased()
const { changes, refusals } = released ? await verdictSince(released) : { changes: [], refusals: [] }
console.log(
  released ? `${changes.length} changes of the contract since ${released.version}` : 'nothing was released yet',
)
for (const { level, where, what } of changes) console.log(`${level.padEnd(5)}  ${where}\n       ${what}`)
if (refusals.length > 0) {
  console.error(`\n${refusals.length} of them are not declared:`)
  for (const { where, why } of refusals) console.error(`${where}\n  ${why}`)
  process.exitCode = 1
} else if (process.argv.includes('--renew')) {
  const { version } = await renew()
  console.log(`released.json is now the contract of ${version}`)
}
