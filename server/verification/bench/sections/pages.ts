import { GROWTH_MAX, LEVELS, pageReads } from '../../../admin/queries/testing/page-reads.ts'
import { withoutAudit } from '../../../storage/audited-pool.ts'
import { createPool } from '../../../storage/pool.ts'
import { startGatewayProcess } from '../gateway-process.ts'
import { temporaryFolder } from '../processes.ts'
import { wholeNumber } from '../report.ts'
import type { Section } from '../section.ts'

const [FEW, MANY] = [50_000, 5_000_000] as const

/** Pages of PostgreSQL that the console and merchants' lists read: they do not grow with what is stored. */
export const pagesSection: Section = {
  name: 'pages',
  what: `buffers that a page of the console reads with ${wholeNumber(MANY)} payments stored, beside ${wholeNumber(FEW)}`,
  async run(step) {
    const gateway = await startGatewayProcess('api', await temporaryFolder())
    const { connection } = gateway
    const pool = withoutAudit(createPool({ connection, connectionsMax: 1, onError: () => undefined }))
    step(`storing ${wholeNumber(FEW)}, then ${wholeNumber(MANY)}`)
    const reads = await pageReads(pool, connection, [FEW, MANY])
    await pool.end()
    await gateway.stop()
    return {
      figures: [...reads].map(([name, [few, many]]) => ({
        name,
        value: `${wholeNumber(many)} buffers`,
        peer: `${wholeNumber(few)} buffers`,
        ratio: many / few,
        target: `≤ ${GROWTH_MAX} × + ${LEVELS}`,
        reached: many <= GROWTH_MAX * few + LEVELS,
      })),
      notes: [`A buffer is a page of 8 kB, counted with repetitions. ${LEVELS} more: levels of indexes.`],
      raw: Object.fromEntries(reads),
    }
  },
}
