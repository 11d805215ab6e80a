import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import type { OpenApiDocument } from '../reading/document.ts'
import { typedContract } from './typed-contract.ts'

const HEADER = '// Written by `npm run generate` from openapi/, with openapi-typescript.\n\n'

/**
 * Writes the types of the contract: its schemas under their own names, and their `paths`, `components` and
 * `operations`.
 */
export async function typesOf(document: OpenApiDocument): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(typedContract(document)), {
    // Fields with a default stay optional in requests: the gateway fills them in, the merchant need not.
    defaultNonNullable: false,
    silent: true,
  })
  const { transformed } = ts.transform(nodes.flatMap(withNamedSchemas), [byName])
  return `${HEADER}${plainComments(astToString(transformed))}`
}

const { factory } = ts
const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)]

/** Each schema as a type of its own: editors then show `Wallet` instead of all its fields. */
function withNamedSchemas(node: ts.Node): readonly ts.Node[] {
  if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'components') return [node]
  const [schemas, ...others] = node.members
  if (
    schemas === undefined ||
    !isField(schemas) ||
    schemas.name.text !== 'schemas' ||
    !ts.isTypeLiteralNode(schemas.type)
  )
    throw new Error('the schemas are not where openapi-typescript has always put them')
  const fields = schemas.type.members.filter(isField)
  const references = fields.map(({ name }) =>
    factory.createPropertySignature(undefined, name, undefined, factory.createTypeReferenceNode(name.text)),
  )
  return [
    ...fields.map((field) =>
      ts.setSyntheticLeadingComments(
        factory.createTypeAliasDeclaration(exported, field.name.text, undefined, field.type),
        ts.getSyntheticLeadingComments(field),
      ),
    ),
    factory.updateInterfaceDeclaration(node, node.modifiers, node.name, undefined, undefined, [
      factory.createPropertySignature(undefined, schemas.name, undefined, factory.createTypeLiteralNode(references)),
      ...others,
    ]),
  ]
}

type Field = ts.PropertySignature & { readonly name: ts.Identifier; readonly type: ts.TypeNode }
const isField = (member: ts.TypeElement): member is Field =>
  ts.isPropertySignature(member) && ts.isIdentifier(member.name) && member.type !== undefined

/** `components["schemas"]["Wallet"]` becomes `Wallet`. */
const byName: ts.TransformerFactory<ts.Node> = (context) => {
  const visit = (node: ts.Node): ts.Node =>
    ts.isIndexedAccessTypeNode(node) && isSchemas(node.objectType)
      ? factory.createTypeReferenceNode(literalOf(node.indexType) ?? '')
      : ts.visitEachChild(node, visit, context)
  return visit
}

const isSchemas = (node: ts.TypeNode): boolean =>
  ts.isIndexedAccessTypeNode(node) && literalOf(node.indexType) === 'schemas'
const literalOf = (node: ts.TypeNode): string | undefined =>
  ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) ? node.literal.text : undefined

/** Comments in the form that editors show best: plain text without a tag, and nothing that the type already says. */
const plainComments = (text: string): string =>
  text
    .replaceAll(/^ *\* @enum \{.*\}\n/gm, '')
    .replaceAll(/^( *\*) {5}/gm, '$1 ')
    .replaceAll(/^( *\*) ([^@\n].*)\n *\* @description /gm, '$1 $2\n$1\n$1 ')
    .replaceAll(/^( *\/?\*\*?) @description /gm, '$1 ')
    .replaceAll(/ +$/gm, '')
