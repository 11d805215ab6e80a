import type { Command } from 'commander'
import { resumeMerchant, suspendMerchant } from '../operations/suspend-merchant.ts'
import { MALIPO } from './called-as.ts'
import { merchantNamed } from '../operations/merchant-named.ts'
import { withDatabase } from './database.ts'
import { print, printJson } from './output.ts'
import { runChange } from './run-change.ts'
import { addStaffAction, type StaffOptions } from './staff-action.ts'

export function defineSuspension(group: Command): void {
  addStaffAction(
    group,
    'suspend',
    'let a merchant start no payments; its payouts that are not sent yet wait with their money held',
    `${MALIPO} merchant suspend 2 --reason "Complaints of 20 November"`,
  )
    .argument('<merchant>', 'public key or id')
    .action((name: string, options: StaffOptions) => change(name, true, options))
  addStaffAction(
    group,
    'resume',
    'end the suspension of a merchant; payouts that waited go out',
    `${MALIPO} merchant resume 2 --reason "Complaints settled"`,
  )
    .argument('<merchant>', 'public key or id')
    .action((name: string, options: StaffOptions) => change(name, false, options))
}

async function change(name: string, isSuspended: boolean, options: StaffOptions): Promise<void> {
  const merchant = await withDatabase(async (context) => {
    const operation = isSuspended ? suspendMerchant : resumeMerchant
    const { merchant_id: id } = await runChange(context, operation, { merchant: name }, options)
    return merchantNamed(context, id)
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
