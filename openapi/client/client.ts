import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callsOf } from './calls-of-contract.ts'
import { callsModule } from './calls.ts'
import type { Contract } from './contract.ts'
import { publicTypesModule } from './public-types.ts'
import { typesOf } from './types.ts'

/** The files that `writeClient` writes. */
export const CLIENT_FILES = ['schema.d.ts', 'calls.ts', 'public-types.ts'] as const

/** Writes what the client has of the contract, from `openapi.json` of the same folder. */
export async function writeClient(folder: string): Promise<void> {
  const contract = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as Contract
  const texts: Readonly<Record<(typeof CLIENT_FILES)[number], string>> = {
    'schema.d.ts': await typesOf(contract),
    'calls.ts': callsModule(contract),
    'public-types.ts': publicTypesModule(contract),
  }
  const withPlainLinks = plainLinks(contract)
  for (const file of CLIENT_FILES) writeFileSync(join(folder, file), withPlainLinks(texts[file]))
}

/** Links within the docs lead nowhere in an editor: an operation goes by the name of its call, all else by its text. */
function plainLinks(contract: Contract): (text: string) => string {
  const names = new Map(callsOf(contract).map(({ name, operation }) => [operation.operationId, name]))
  return (text) =>
    text.replaceAll(/\[([^\]\n]+)\]\(#(?:operation|tag)\/([\w-]+)\)/g, (_, label: string, id: string) => {
      const name = names.get(id)
      return name === undefined ? label : `\`${name}\``
    })
}
