import type { Command } from 'commander'
import { setSuspended } from '../queries/merchants.ts'
import type { Pool } from '../../storage/pool.ts'
import { MALIPO } from './called-as.ts'
import { addLeaf } from './command.ts'
import { merchantNamed, withDatabase } from './database.ts'
import { print, printJson } from './output.ts'
import { asStaffAction, shownValues, staffAction, type StaffOptions } from './staff-action.ts'

export function defineSuspension(group: Command): void {
  asStaffAction(
    addLeaf(
      group,
      'suspend',
      'let a merchant start no payments; its payouts that are not sent yet wait with their money held',
      `${MALIPO} merchant suspend 2 --reason "Complaints of 20 November"`,
    ),
  )
    .argument('<merchant>', 'public key or id')
    .action((name: string, options: StaffOptions) => change(name, true, options))
  asStaffAction(
    addLeaf(
      group,
      'resume',
      'end the suspension of a merchant; payouts that waited go out',
      `${MALIPO} merchant resume 2 --reason "Complaints settled"`,
    ),
  )
    .argument('<merchant>', 'public key or id')
    .action((name: string, options: StaffOptions) => change(name, false, options))
}

async function change(name: string, isSuspended: boolean, options: StaffOptions): Promise<void> {
  const merchant = await withDatabase(async (context) => {
    const { id, public_key: subject } = await merchantNamed(context, name)
    const current = (pool: Pool) => merchantNamed({ ...context, pool }, String(id))
    await staffAction(context, { command: `merchant ${isSuspended ? 'suspend' : 'resume'}`, subject }, options, {
      read: async (pool) => shownValues({ 'suspended since': (await current(pool)).suspended_at?.toISOString() }),
      apply: (pool) => setSuspended(pool, id, isSuspended, context.clock.now()),
    })
    return current(context.pool)
  })
  const { id, suspended_at } = merchant
  if (options.json) printJson({ id, suspended_at })
  else
    print(
      isSuspended
        ? `Merchant ${id} is suspended; running servers know it within a second.`
        : `Merchant ${id} may start payments again; payouts that waited go out now.`,
    )
}
