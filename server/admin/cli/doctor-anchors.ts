import { readFileSync } from 'node:fs'
import { differenceFromAnchors, parseAnchors, type Anchor } from '../../domain/chain-anchor.ts'
import { readLinks } from '../../storage/ledger-chain.ts'
import type { Finding } from '../queries/doctor.ts'
import type { Pool } from '../../storage/pool.ts'
import { MALIPO } from './called-as.ts'
import { CliError, usedWrongly } from './errors.ts'

/** Reads the chain heads in a file, one a line. @throws CliError */
export function readAnchors(file: string): readonly Anchor[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new CliError(`malipo: ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`)
  }
  const { anchors, wrongLine } = parseAnchors(text)
  if (wrongLine !== undefined)
    throw usedWrongly(
      `malipo: line ${wrongLine} of ${file} is no anchor: it must be a line as ${MALIPO} ledger anchor prints it`,
    )
  if (anchors.length === 0)
    throw usedWrongly(`malipo: there is no anchor in ${file}; ${MALIPO} ledger anchor prints one`)
  return anchors
}

/** Whoever rebuilds the whole chain gets a different hash in each link from then on. */
export async function examineAnchors(pool: Pool, anchors: readonly Anchor[]): Promise<Finding> {
  const links = await readLinks(
    pool,
    anchors.map(({ seq }) => seq),
  )
  const difference = differenceFromAnchors(anchors, links)
  return {
    name: 'anchors_agree',
    rule: 'the hash chain has every head that was stored elsewhere',
    found: difference === undefined ? 0 : 1,
    examples: difference === undefined ? [] : [difference],
  }
}
