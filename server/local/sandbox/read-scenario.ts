import { readFileSync } from 'node:fs'
import { load, YAMLException } from 'js-yaml'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { compilerOf } from '../../../openapi/reading/validators.ts'
import type { Scenario } from './scenario.ts'

const CONTRACT = new URL('../../../generated/sandbox.json', import.meta.url)
const document = JSON.parse(readFileSync(CONTRACT, 'utf8')) as { readonly components: { readonly schemas: object } }
const compile = compilerOf(document)
const isScenario = compile({ $ref: '#/components/schemas/Scenario' })

/** The JSON Schema of scenarios. */
export const SCENARIO_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $ref: '#/components/schemas/Scenario',
  components: { schemas: document.components.schemas },
}

/**
 * Reads a scenario, which is YAML; JSON is YAML too.
 * @returns what is wrong with it, in words
 */
export function readScenario(text: string): Scenario | string {
  try {
    const value: unknown = load(text)
    if (isScenario(value)) return value as Scenario
    return faultText(isScenario.errors ?? [])
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    return `the scenario is neither JSON nor YAML: ${error.reason}, in line ${(error.mark?.line ?? 0) + 1}`
  }
}

function faultText([fault]: readonly ErrorObject[]): string {
  if (!fault) return 'the scenario is not as its schema asks for'
  const at = fault.instancePath
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
  const { additionalProperty, allowedValues, pattern } = fault.params as Record<string, unknown>
  let what = fault.message ?? 'is wrong'
  if (Array.isArray(allowedValues)) what = `must be one of ${allowedValues.join(', ')}`
  if (typeof additionalProperty === 'string') what = `has no ${additionalProperty}`
  if (typeof pattern === 'string') what = 'is not written as its schema asks for'
  return `${at === '' ? 'the scenario' : at} ${what}`.slice(0, 300)
}
