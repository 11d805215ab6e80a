import type { Command } from 'commander'
import { anchorLine } from '../../domain/chain-anchor.ts'
import { extendChain, readHead } from '../../storage/ledger-chain.ts'
import { available } from '../../storage/pool.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf } from './command.ts'
import { withDatabase } from './database.ts'
import { CliError } from './errors.ts'
import { print, printJson } from './output.ts'

export function define(group: Command): void {
  addExamples(group, `${MALIPO} ledger anchor`)
  addLeaf(
    group,
    'anchor',
    `print the head of the hash chain over all transfers on one line: sequence, hash, time; store it where database administrators cannot change it, and compare with ${MALIPO} doctor --anchor`,
    `${MALIPO} ledger anchor`,
    `${MALIPO} ledger anchor --json`,
  ).action(anchor)
}

async function anchor({ json }: { readonly json?: true }): Promise<void> {
  const head = await withDatabase(async ({ pool, clock }) => {
    await extendChain(pool, () => clock.now())
    return available(() => readHead(pool))
  })
  if (!head) throw new CliError('malipo: no transfer is in the hash chain yet: there is nothing to print.')
  if (json) return printJson({ sequence: head.seq, hash: Buffer.from(head.hash).toString('hex'), at: head.at })
  print(anchorLine(head))
}
