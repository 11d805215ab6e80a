import type { OpenApiDocument } from '../reading/document.ts'
import { callsOf } from './calls-of-contract.ts'
import { callsModule } from './calls.ts'
import { publicTypesModule } from './public-types.ts'
import { typesOf } from './types.ts'

/** The client's files that are generated from the contract: texts by file name in `generated/`. */
export async function clientTexts(document: OpenApiDocument): Promise<Readonly<Record<string, string>>> {
  const withPlainLinks = plainLinks(document)
  return {
    'schema.d.ts': withPlainLinks(await typesOf(document)),
    'calls.ts': withPlainLinks(callsModule(document)),
    'public-types.ts': withPlainLinks(publicTypesModule(document)),
  }
}

/**
 * Links within the docs do not work in an editor: an operation becomes the name of its call, any other link its text.
 */
function plainLinks(document: OpenApiDocument): (text: string) => string {
  const names = new Map(callsOf(document).map(({ name, operation }) => [operation.id, name]))
  return (text) =>
    text.replaceAll(/\[([^\]\n]+)\]\(#(?:operation|tag)\/([\w-]+)\)/g, (_, label: string, id: string) => {
      const name = names.get(id)
      return name === undefined ? label : `\`${name}\``
    })
}
