import type { Contract } from '../../../openapi/reading/contract.ts'
import { present } from '../../../server/domain/present.ts'
import { parseValues } from '../../driver/contract-values.ts'
import { schemesOf } from '../../driver/credentials.ts'
import { runForeignSuite } from '../suite.ts'

interface ForeignRun {
  readonly url: string
  readonly contract: Contract
  /** By security scheme. */
  readonly credentials: Readonly<Record<string, string>>
  /** The text of a values file. */
  readonly values?: string | undefined
  readonly only: readonly string[]
}

/** The suite on a server of a contract that is not Malipo's; a finding is one text. */
export async function foreignRun({ url, contract, credentials, values = '{}', only }: ForeignRun) {
  const { findings, ...result } = await runForeignSuite({
    url,
    contract,
    credentials: Object.fromEntries(
      schemesOf(contract).map((scheme) => [
        scheme.name,
        { ...scheme, value: present(credentials[scheme.name], scheme.name) },
      ]),
    ),
    headers: {},
    values: parseValues(values, contract),
    seed: 1,
    size: 'pull-request',
    only,
    log: () => undefined,
  })
  const parts = result.results.map(({ part, status }) => `${part} ${status}`)
  return { ...result, parts, findings: findings.map(({ about, what }) => `${about} ${what}`) }
}
