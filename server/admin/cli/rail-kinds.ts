import { packageOf, RAIL_KINDS } from '../../rails/registry.ts'
import { printJson, printTable } from './output.ts'

/** `malipo rail kinds` */
export function kinds({ json }: { json?: true }): void {
  const known = RAIL_KINDS.map(({ name, title, types }) => ({ kind: name, title, types, package: packageOf(name) }))
  if (json) return printJson(known)
  printTable(
    known,
    [
      { title: 'KIND', of: ({ kind }) => kind },
      { title: 'OPERATOR', of: ({ title }) => title },
      { title: 'TAKES', of: ({ types }) => types.map((type) => `${type.toLowerCase()}s`).join(', ') },
      { title: 'FROM', of: ({ kind }) => originText(kind) },
    ],
    'No kind of rail is known.',
  )
}

/** Where the code of a kind came from: a package runs with all rights of the gateway. */
export function originText(kind: string): string {
  const origin = packageOf(kind)
  return origin ? `${origin.path}, SHA-256 ${origin.sha256}` : 'Malipo'
}
