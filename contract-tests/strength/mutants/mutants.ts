// `npm run mutants [-- --seed 7]`: checks every small change of the contract against recorded traffic of the real gateway. Exits with 0 when the unchanged contract has no fault and at least 95 % of its mutants are noticed.
import { parseArgs } from 'node:util'
import { startScratchDatabases } from '../../../server/verification/testing/scratch-databases.ts'
import { bundleUrl, readContract } from '../../../openapi/reading/contract.ts'
import type { Corpus } from './corpus.ts'
import { faultsOf, judgeAll } from './judge.ts'
import { record } from './scenario.ts'
import { scoreOf, tableOf, writeTable } from './table.ts'

const NOTICED_PERCENT_MIN = 95
const FOLDER = new URL('../../../dist/contract-tests/', import.meta.url)

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } })
const seed = Number(values.seed)
const startedAt = Date.now()

const contract = readContract(bundleUrl).document
const corpus = await recordAlone()
console.log(`${corpus.exchanges.length} exchanges recorded, seed ${seed}`)
const faults = [...faultsOf(contract, corpus)]
for (const { killer, fault } of faults) console.error(`  ${killer}: ${fault}`)
const judged = judgeAll(contract, corpus)
await writeTable(judged, FOLDER)
console.log(tableOf(judged))
const { mutants, noticed, percent } = scoreOf(judged)
console.log(
  `\n${noticed} of ${mutants} changes noticed: ${percent} %, in ${Math.round((Date.now() - startedAt) / 1000)} s; written to dist/contract-tests/mutants.txt and mutants.json`,
)
process.exitCode = faults.length === 0 && percent >= NOTICED_PERCENT_MIN ? 0 : 1

/** On a temporary PostgreSQL: nothing of it has to be kept. */
async function recordAlone(): Promise<Corpus> {
  const databases = await startScratchDatabases()
  try {
    return await record(contract, { connection: await databases.create(), seed })
  } finally {
    await databases.close()
  }
}
