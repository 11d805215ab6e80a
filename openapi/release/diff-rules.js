// Rules for `redocly diff`: breaking changes that its recommended rules miss (as of 2.77). The direction of a change is
// Redocly's: in webhooks and callbacks the roles are reversed, so their requests are `response`.

/**
 * What Redocly hands to a rule, as far as these read it.
 * @typedef {{ type: { name: string }, key: string | number, value: Record<string, unknown>, resolved?: TreeNode, children: TreeNode[] }} TreeNode
 * @typedef {{ base?: TreeNode, revision?: TreeNode }} NodePair
 * @typedef {{ kind: 'added' | 'removed' | 'modified', node: NodePair, property?: string, base?: { value: unknown }, revision?: { value: unknown } }} Change
 * @typedef {{ report(problem: { message: string }): void, getDirections(): ('request' | 'response')[] }} Context
 * @typedef {(change: Change, context: Context) => void} Visit
 */

/** The fields of a node, `$ref`s followed. @param {TreeNode | undefined} node @returns {Record<string, unknown>} */
const valueOf = (node) => node?.resolved?.value ?? node?.value ?? {}
/** @param {Change} change */
const keyOf = ({ node }) => String((node.base ?? node.revision)?.key)
/** A rule that holds in one direction only. @param {'request' | 'response'} direction @param {Visit} visit @returns {Visit} */
const inDirection = (direction, visit) => (change, context) => {
  if (context.getDirections().includes(direction)) visit(change, context)
}

/** Bodies, headers and query parameters of webhooks and callbacks, and headers of replies: merchants read them. */
const receivedValueLost = () => ({
  Parameter: inDirection('response', ({ kind, node, property, base }, { report }) => {
    const parameter = `${String(valueOf(node.base)['in'])} parameter \`${String(valueOf(node.base)['name'])}\``
    if (kind === 'removed') report({ message: `The ${parameter} is no longer sent.` })
    if (kind !== 'modified') return
    if (property !== undefined && ['name', 'in', 'style', 'explode'].includes(property))
      report({
        message: `\`${property}\` of the ${parameter} changed from '${String(base?.value)}'.`,
      })
    if (property === 'required' && base?.value === true) report({ message: `The ${parameter} is no longer required.` })
  }),
  RequestBody: inDirection('response', ({ kind, property, base }, { report }) => {
    if (kind === 'removed') report({ message: 'No body is sent any more.' })
    if (property === 'required' && base?.value === true) report({ message: 'The body is no longer required.' })
  }),
  ParameterList: inDirection('response', ({ kind }, { report }) => {
    if (kind === 'removed') report({ message: 'No parameter is sent any more.' })
  }),
  Header: inDirection('response', (change, { report }) => {
    if (change.property === 'required' && change.base?.value === true)
      report({ message: `The header \`${keyOf(change)}\` is no longer required.` })
  }),
})

/** Programs look for the success that they know; an error more falls into their branch for errors. */
const successStatusAdded = () => ({
  Responses: {
    Response: inDirection('response', (change, { report }) => {
      const status = change.kind === 'modified' ? String(change.revision?.value) : keyOf(change)
      const isNew = change.kind === 'added' || (change.kind === 'modified' && change.property === 'key')
      if (isNew && /^[23]/.test(status)) report({ message: `The success \`${status}\` is new.` })
    }),
  },
})

const responsesRemoved = () => ({
  /** @type {Visit} */
  Responses({ kind }, { report }) {
    if (kind === 'removed') report({ message: 'All responses were removed.' })
  },
})

/** Without a schema anything goes. @type {Visit} */
const schemaCameOrWent = (change, { report, getDirections }) => {
  if (change.kind === 'modified') return
  if (getDirections().includes(change.kind === 'added' ? 'request' : 'response'))
    report({ message: `The schema was ${change.kind}.` })
}
const schemaPresenceChanged = () => ({
  Header: { Schema: schemaCameOrWent },
  MediaType: { Schema: schemaCameOrWent },
  Parameter: { Schema: schemaCameOrWent },
})

/** The default of a request decides what every request without the field means. */
const requestDefaultChanged = () => ({
  Schema: inDirection('request', ({ property, base, revision }, { report }) => {
    if (property === 'default')
      report({ message: `The default changed from '${String(base?.value)}' to '${String(revision?.value)}'.` })
  }),
})

const requestBodyAdded = () => ({
  RequestBody: inDirection('request', ({ kind, node }, { report }) => {
    if (kind === 'added' && valueOf(node.revision)['required'] === true)
      report({ message: 'A request body is required.' })
  }),
})

const responseMediaTypeAdded = () => ({
  MediaType: inDirection('response', (change, { report }) => {
    if (change.kind === 'added') report({ message: `The media type \`${keyOf(change)}\` is new.` })
  }),
})

/** Where a webhook or callback goes. @type {Visit} */
const renamed = (change, { report }) => {
  if (change.kind === 'modified' && change.property === 'key')
    report({ message: `\`${String(change.base?.value)}\` became \`${String(change.revision?.value)}\`.` })
}
const webhookRenamed = () => ({
  WebhooksMap: { PathItem: renamed },
  CallbacksMap: { Callback: renamed },
  Callback: { PathItem: renamed },
})

/** Which branch of a `oneOf` a value belongs to. Without its branches a schema no longer says what it takes. */
const discriminatorChanged = () => ({
  /** @type {Visit} */
  Discriminator({ kind, property, base, revision }, { report }) {
    if (kind === 'modified' && property === 'propertyName')
      report({ message: `The discriminator is \`${String(revision?.value)}\`, not \`${String(base?.value)}\`.` })
    if (kind !== 'modified') report({ message: `The discriminator was ${kind}.` })
  },
  /** @type {Visit} */
  OneOf({ kind }, { report }) {
    if (kind === 'removed') report({ message: 'The branches were removed.' })
  },
  DiscriminatorMapping: {
    /** @type {Visit} */
    Schema(change, { report, getDirections }) {
      if (change.kind === 'modified') return
      if (getDirections().includes(change.kind === 'removed' ? 'request' : 'response'))
        report({ message: `The branch \`${keyOf(change)}\` was ${change.kind}.` })
    },
  },
  Schema: {
    /** @type {Visit} */
    DiscriminatorMapping({ kind }, { report }) {
      if (kind === 'removed') report({ message: 'No value of the discriminator leads to a branch any more.' })
    },
  },
})

export default () => ({
  id: 'release',
  diff: {
    oas3: {
      'discriminator-changed': discriminatorChanged,
      'received-value-lost': receivedValueLost,
      'request-body-added': requestBodyAdded,
      'request-default-changed': requestDefaultChanged,
      'response-media-type-added': responseMediaTypeAdded,
      'responses-removed': responsesRemoved,
      'schema-presence-changed': schemaPresenceChanged,
      'success-status-added': successStatusAdded,
      'webhook-renamed': webhookRenamed,
    },
  },
})
