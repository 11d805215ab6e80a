import { InvalidArgumentError, type Command } from 'commander'
import { setExchangeRate } from '../operations/set-rate.ts'
import { listRates } from '../queries/provider-settings.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, parseCurrency } from './command.ts'
import { withDatabase } from './database.ts'
import { print, printJson, printTable, shortTime } from './output.ts'
import { runChange } from './run-change.ts'
import { addStaffAction, type StaffOptions } from './staff-action.ts'

export function define(group: Command): void {
  addExamples(group, `${MALIPO} rate list`)
  addStaffAction(
    group,
    'set',
    'set how many units of one currency one unit of another buys',
    `${MALIPO} rate set USD UGX 3800 --reason "Rate of 20 November"`,
    `${MALIPO} rate set UGX USD 0.000263 --reason "Rate of 20 November" --yes`,
  )
    .argument('<from>', 'currency of the request, for example USD', parseCurrency)
    .argument('<to>', 'currency of the provider, for example UGX', parseCurrency)
    .argument('<rate>', 'a decimal number above 0', parseRate)
    .action(async (from: string, to: string, rate: string, options: StaffOptions) => {
      await withDatabase((context) => runChange(context, setExchangeRate, { from, to, rate }, options))
      if (options.json) printJson({ from, to, rate })
      else print(`1 ${from} is now ${rate} ${to}; running servers know it within a second.`)
    })
  addLeaf(group, 'list', 'list the exchange rates', `${MALIPO} rate list`).action(async ({ json }: { json?: true }) => {
    const rates = await withDatabase(({ pool }) => listRates(pool))
    if (json)
      return printJson(rates.map(({ from, to, rate, updatedAt }) => ({ from, to, rate, updated_at: updatedAt })))
    printTable(
      rates,
      [
        { title: 'FROM', of: ({ from }) => from },
        { title: 'TO', of: ({ to }) => to },
        { title: 'RATE', of: ({ rate }) => rate, align: 'right' },
        { title: 'SET', of: ({ updatedAt }) => shortTime(updatedAt) },
      ],
      'No exchange rate: requests must be in the currency of their provider.',
    )
  })
}

/** Up to twelve digits on each side of the decimal point, as text: a rate is never a binary fraction. */
function parseRate(text: string): string {
  if (!/^\d{1,12}(\.\d{1,12})?$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError(
      'It must be a decimal number above 0 with at most twelve digits on each side of the point, for example 3800 or 0.000263.',
    )
  return text.replace(/^0+(?=\d)/, '')
}
