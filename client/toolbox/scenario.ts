import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { LoadedScenario } from '../testing/sandbox.ts'
import { withSandbox } from './clock.ts'
import { GATEWAY_OPTION } from './gateway-option.ts'
import { readArguments, UsageError, type Command, type OptionTable } from './usage.ts'

const LOAD_OPTIONS = { gateway: GATEWAY_OPTION } as const satisfies OptionTable
const OPTIONS = {
  gateway: GATEWAY_OPTION,
  merchant: { type: 'string', value: 'PUBLIC_KEY', help: "the merchant's; that of the demo merchant if absent" },
} as const satisfies OptionTable

/** `malipo-dev scenario load`. */
export const scenarioLoadCommand: Command = {
  name: 'scenario load',
  summary: 'loads what simulated customers do, and which callbacks are lost, into a sandbox',
  takes: '<file>',
  example: 'malipo-dev scenario load my-scenario.yaml',
  options: LOAD_OPTIONS,
  notes: [
    'The file is YAML or JSON, and replaces the scenario of its merchant:',
    '  scenario: 1',
    '  payments:',
    "    - account: '256772000123'",
    '      orders: [{ outcome: declined }, { outcome: declined }, { outcome: paid, after: 90s }]',
    '  callbacks:',
    '    - { reference: ORDER-2026-0001, deliveries: [lost, delivered] }',
    'The page Sandbox of the docs has all of it.',
  ],
  run(args, terminal) {
    const {
      values,
      positionals: [file = ''],
    } = readArguments(args, LOAD_OPTIONS, { min: 1, max: 1, name: 'The file' })
    const text = textOf(resolve(terminal.folder, file))
    return withSandbox(values.gateway, terminal, async (sandbox) => loadedText(await sandbox.loadScenario(text)))
  },
}

/** `malipo-dev scenario show`. */
export const scenarioShowCommand: Command = {
  name: 'scenario show',
  summary: "shows a merchant's scenario in a sandbox, and what it has met so far",
  takes: '',
  example: 'malipo-dev scenario show',
  options: OPTIONS,
  run(args, terminal) {
    const { values } = readArguments(args, OPTIONS, { min: 0, max: 0, name: '' })
    return withSandbox(values.gateway, terminal, async (sandbox) => {
      const loaded = await sandbox.scenario(values.merchant)
      return `${JSON.stringify(loaded.scenario, null, 2)}\n${loadedText(loaded)}`
    })
  },
}

/** `malipo-dev scenario remove`. */
export const scenarioRemoveCommand: Command = {
  name: 'scenario remove',
  summary: "removes a merchant's scenario from a sandbox: test numbers decide again",
  takes: '',
  example: 'malipo-dev scenario remove',
  options: OPTIONS,
  run(args, terminal) {
    const { values } = readArguments(args, OPTIONS, { min: 0, max: 0, name: '' })
    return withSandbox(values.gateway, terminal, async (sandbox) => {
      await sandbox.removeScenario(values.merchant)
      return 'removed: test numbers decide again'
    })
  },
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function loadedText({ merchant, scenario: { payments = [], callbacks = [] }, orders }: LoadedScenario): string {
  const met = orders.reduce((sum, count) => sum + count, 0)
  return `${merchant}: ${payments.length} rules for payments, which have met ${met} orders; ${callbacks.length} for callbacks`
}
