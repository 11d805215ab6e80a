import { wireRequest, type Exchange } from '../proxy.ts'
import { cells } from './cells.ts'
import type { Contract } from '../../../openapi/reading/contract.ts'
import type { Direction } from './exchange.ts'
import { createMarker, type Refusals } from './mark.ts'
import { summarise, type RunConditions, type Coverage } from './summary.ts'

export type CoverageRecorder = ReturnType<typeof createCoverage>

/**
 * Records exchanges and the cells of the contract that they cover.
 * @param refusals which statuses refuse; absent: those of our own contract
 */
export function createCoverage(contract: Contract, refusals?: Refusals) {
  const declared = cells(contract)
  const known = new Set(declared.map(({ id }) => id))
  const seen = new Set<string>()
  const mark = createMarker(contract, refusals)
  return {
    // Marks that nothing declares (a body that is not JSON) are no cells.
    record(exchange: Exchange, direction: Direction): void {
      for (const id of mark(exchange, direction)) if (known.has(id)) seen.add(id)
      const led = direction === 'asked' ? redirectOf(exchange) : undefined
      if (led) for (const id of mark(led, 'received')) if (known.has(id)) seen.add(id)
    },
    coverage: (circumstances: RunConditions): Coverage => summarise(declared, seen, circumstances),
  }
}

/** The request of a browser that follows a redirect. */
function redirectOf({ at, reply: { headers } }: Exchange): Exchange | undefined {
  const location = headers.location?.[0]
  if (location === undefined || !URL.canParse(location)) return undefined
  const { pathname, search } = new URL(location)
  const reply = { status: 0, headers: {}, body: Buffer.alloc(0) }
  return { at, request: wireRequest('GET', pathname + search, {}), reply }
}
