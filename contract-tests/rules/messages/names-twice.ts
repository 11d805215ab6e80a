/** What a body shows before its fields are read. */
interface Names {
  readonly value: unknown
  /** Number of field names, at any depth. */
  readonly count: number
  /** Names that an object has more than once, each also with its path: a message may call it either way. */
  readonly twice: readonly string[]
  /** Texts that some programs reject, or numbers that they cannot hold. */
  readonly isOdd: boolean
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g
/** Lone surrogates; exponents and digits beyond a double; very deep lists. */
const ODD = /\\u[dD][89a-fA-F]|\d[eE][+-]?\d{3,}|\d{200,}|[[{]{16}/

/** Undefined: not JSON in UTF-8. */
export function namesIn(bytes: Buffer): Names | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { value: JSON.parse(text) as unknown, ...countedIn(text), isOdd: ODD.test(text) }
  } catch {
    return undefined
  }
}

/** An object or a list that is open while a text is read. */
interface OpenValue {
  /** Of its own fields, `extra_params.` for one; undefined in a list, which a message calls otherwise. */
  readonly path: string | undefined
  readonly names: Set<string>
  /** Of the field that is read. */
  name: string
}

function countedIn(text: string): Pick<Names, 'count' | 'twice'> {
  const open: OpenValue[] = []
  const twice = new Set<string>()
  let [count, last] = [0, '""']
  for (const [token] of text.matchAll(TOKEN)) {
    const around = open.at(-1)
    if (token === '{' || token === '[') open.push({ path: pathIn(around, token), names: new Set(), name: '' })
    else if (token === '}' || token === ']') open.pop()
    else if (token !== ':') last = token
    else if (around) {
      const name = String(JSON.parse(last))
      if (around.names.has(name)) for (const called of [name, `${around.path ?? ''}${name}`]) twice.add(called)
      around.names.add(name)
      around.name = name
      count += 1
    }
  }
  return { count, twice: [...twice] }
}

const pathIn = (around: OpenValue | undefined, token: string): string | undefined => {
  if (!around) return ''
  return token === '[' || around.path === undefined ? undefined : `${around.path}${around.name}.`
}
