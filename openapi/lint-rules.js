// Lint rules of our own, beside Redocly's: what makes a 3.1 contract mean the same to every validator, generator and fuzzer.

/**
 * What Redocly hands to a rule, as far as these read it.
 * @typedef {{ readonly pointer: string, child(keys: string | string[]): Location }} Location
 * @typedef {{ message: string, location: Location }} Problem
 * @typedef {{ report(problem: Problem): void, readonly location: Location, readonly key: string | number, readonly specVersion?: string }} Context
 *
 * @typedef {{
 *   [keyword: string]: unknown,
 *   type?: string | string[],
 *   pattern?: string,
 *   oneOf?: { $ref?: string }[],
 *   discriminator?: { mapping?: Record<string, string> },
 * }} Schema
 * @typedef {{ operationId?: string, responses?: Record<string, unknown>, security?: unknown[] }} Operation
 * @typedef {{ example?: unknown, examples?: object }} Shown
 */

/** What bounds a value of each type. @type {Record<string, string[] | undefined>} */
const BOUNDS = {
  string: ['maxLength', 'pattern'],
  array: ['maxItems', 'items'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
}
const FORBIDDEN_KEYWORDS =
  'nullable if then else const anyOf not exclusiveMinimum exclusiveMaximum patternProperties'.split(' ')

/** Objects are closed, so that a misspelt field is an error and not silence. A part of an `allOf` only narrows its neighbours. */
const closedObjects = () => ({
  /** @type {(schema: Schema, context: Context) => void} */
  Schema(schema, { report, location }) {
    const narrows = /\/allOf\/\d+$/.test(location.pointer)
    if (schema.type === 'object' && schema.additionalProperties !== false && !narrows) {
      report({ message: 'An object schema has `additionalProperties: false`.', location: location.child('type') })
    }
  },
})

/** Everything has a bound: a client can size its columns, a server its memory, a fuzzer its guesses. */
const boundedValues = () => ({
  /** @type {(schema: Schema, context: Context) => void} */
  Schema(schema, { report, location }) {
    if (schema.enum) return
    const { type } = schema
    if (typeof type === 'string')
      for (const keyword of BOUNDS[type] ?? []) {
        if (schema[keyword] === undefined)
          report({ message: `A schema of type ${type} has \`${keyword}\`.`, location: location.child('type') })
      }
    // Anchored and ASCII: the regular expressions of JavaScript, Python and Rust agree on these.
    if (schema.pattern && !/^\^[\x20-\x7e]*\$$/.test(schema.pattern)) {
      report({
        message: 'A `pattern` is anchored with ^ and $ and written in ASCII.',
        location: location.child('pattern'),
      })
    }
  },
})

/** Only the keywords that every tool understands; a choice is a `oneOf` of named schemas with a full discriminator. */
const portableSchemas = () => ({
  /** @type {(schema: Schema, context: Context) => void} */
  Schema(schema, { report, location, specVersion }) {
    if (Array.isArray(schema.type))
      report({
        message: '`type` is one type; an optional value is absent, never null.',
        location: location.child('type'),
      })
    for (const keyword of FORBIDDEN_KEYWORDS) {
      if (schema[keyword] !== undefined)
        report({ message: `\`${keyword}\` is not understood by every tool.`, location: location.child(keyword) })
    }
    if (!schema.oneOf) return
    const members = schema.oneOf.map(({ $ref }) => $ref)
    const mapped = Object.values(schema.discriminator?.mapping ?? {})
    // The copy for older tools leaves some out (exports/older-schema.ts).
    const mayLack = specVersion === 'oas3_0' && schema.discriminator === undefined
    if (
      members.some((ref) => !ref) ||
      (!mayLack && (members.length !== mapped.length || members.some((ref) => !mapped.includes(ref))))
    ) {
      report({
        message: 'Each member of a `oneOf` is a `$ref`, and the discriminator maps every one of them.',
        location: location.child('oneOf'),
      })
    }
  },
})

const EVERY_OPERATION = ['400', '401', '429', '500', '503']
const EVERY_POST = ['409', '413', '415']

/** Every status that an operation can give is declared, and nothing hides behind `default`. */
const everyStatusDeclared = () => ({
  /** @type {(operation: Operation, context: Context) => void} */
  Operation(operation, { report, location, key }) {
    const { responses = {}, operationId } = operation
    if (responses.default)
      report({
        message: '`default` hides the statuses: declare each one.',
        location: location.child(['responses', 'default']),
      })
    if (operation.security?.length === 0) return // A request that Malipo sends: the answers are the merchant's.
    for (const status of key === 'post' ? [...EVERY_OPERATION, ...EVERY_POST] : EVERY_OPERATION) {
      if (!responses[status])
        report({ message: `${operationId} declares ${status}.`, location: location.child('responses') })
    }
  },
})

/** @type {(shown: Shown) => boolean} */
const hasExample = ({ example, examples }) => example !== undefined || Object.keys(examples ?? {}).length > 0

/** Prism answers with the examples, and the docs show them: each body has named ones, each parameter and header at least one. */
const examplesEverywhere = () => ({
  /** @type {(media: Shown, context: Context) => void} */
  MediaType(media, { report, location }) {
    if (Object.keys(media.examples ?? {}).length === 0) report({ message: 'A body has named examples.', location })
  },
  /** @type {(parameter: Shown & { name: string }, context: Context) => void} */
  Parameter(parameter, { report, location }) {
    if (!hasExample(parameter)) report({ message: `The parameter ${parameter.name} has an example.`, location })
  },
  /** @type {(header: Shown, context: Context) => void} */
  Header(header, { report, location }) {
    if (!hasExample(header)) report({ message: 'A header has an example.', location })
  },
})

export default () => ({
  id: 'malipo',
  rules: {
    oas3: {
      'closed-objects': closedObjects,
      'bounded-values': boundedValues,
      'portable-schemas': portableSchemas,
      'every-status-declared': everyStatusDeclared,
      'examples-everywhere': examplesEverywhere,
    },
  },
})
