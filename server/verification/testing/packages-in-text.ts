/** A command in a text, and the package that it takes from a public registry. */
interface PackageInText {
  readonly command: string
  readonly name: string
}

const WORDS = String.raw`(?= )[^\n\\\`|;&#"'(),]*`
const NODE_TOOLS = new RegExp(String.raw`(?<![\w.@/-])(?:npx|pnpx|bunx|npm|pnpm|yarn|bun)${WORDS}`, 'g')
const INSTALL =
  /^(?:npm|pnpm|bun) (?:i|install|add|it|install-test|link|ln)(?= |$)|^yarn (?:global )?(?:add|link)(?= |$)/
const EXECUTE = /^(?:npx|pnpx|bunx)(?= |$)|^(?:npm|bun) x(?= |$)|^npm exec(?= |$)|^(?:pnpm|yarn) dlx(?= |$)/
const CREATE = /^(?:npm|pnpm|yarn|bun) (?:init|create)(?= |$)/
const SCRIPT = /^(?:npm|pnpm|yarn|bun) (?:run|run-script)(?= |$)/
/** Flags whose next word is no package. */
const WITH_VALUE = /^(?:-w|--workspace|-C|--prefix|--pack-destination|--registry|--tag|--loglevel|-c|--call|--cwd)$/

/** Package managers of other languages: only names that look like ours matter. */
const OTHER_TOOLS = new RegExp(
  String.raw`(?<![\w.@/-])(?:(?:pip3?|pipx|uv(?: pip| tool)?|gem|cargo|go|deno|conda|poetry|pdm|nuget|brew) ` +
    String.raw`(?:install|add|get|run)|uvx|composer (?:global )?(?:require|create-project)|dotnet (?:package |tool )?` +
    `(?:add|install))${WORDS}`,
  'gi',
)
const SPECIFIER = /(?<!\w)(?:npm|jsr):(@?[a-z][\w.-]*(?:\/[\w.-]+)?)/g
const ADDRESS =
  /(?:npmjs\.com\/package|unpkg\.com|jsdelivr\.net\/npm|esm\.sh|jsr\.io|pypi\.org\/project)\/(@?[\w.-]+(?:\/[\w.-]+)?)/g
const OURS = /@?[\w./-]*(?:malipo|schemathesis-runner)[\w./@-]*/i

const isLocal = (spec: string): boolean => /^(?:\.{0,2}\/|\.{1,2}$|~\/|file:)|^(?!\w+:)\S+\.tgz$/.test(spec)
/** A placeholder of the program, a shell or the reader: the text has no name. */
const isPlaceholder = (spec: string): boolean => !/^@?[a-z\d]/i.test(spec)
const withoutVersion = (spec: string): string => spec.replace(/(?<=.)@.*$/, '').replace(/[.:]+$/, '')

/** @returns the words that are no flags, and the packages that flags name; nothing when npx may not install */
function wordsOf(text: string): { readonly operands: readonly string[]; readonly packages: readonly string[] } {
  const operands: string[] = []
  const packages: string[] = []
  const words = text.split(/\s+/).filter(Boolean)
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (operands.length === 0 && /^--no(?:-install)?$/.test(word)) return { operands: [], packages: [] }
    if (word === '-p' || word === '--package') packages.push(words[++at] ?? '')
    else if (word.startsWith('--package=')) packages.push(word.slice('--package='.length))
    else if (WITH_VALUE.test(word)) at++
    else if (!word.startsWith('-')) operands.push(word)
  }
  return { operands, packages }
}

function namesIn(command: string): readonly string[] {
  const pattern = [INSTALL, EXECUTE, CREATE, SCRIPT].find((each) => each.test(command))
  if (pattern === undefined) return []
  const { operands, packages } = wordsOf(command.replace(pattern, ''))
  const executed = packages.length > 0 ? packages : operands.slice(0, 1)
  const names = (pattern === INSTALL ? operands : executed)
    .filter((spec) => !isLocal(spec) && !isPlaceholder(spec))
    .map(withoutVersion)
  if (pattern === SCRIPT) return names.map((name) => `npm run ${name}`)
  return pattern === CREATE ? names.map((name) => `create-${name}`) : names
}

/**
 * Finds the packages that a reader of the text would take from a public registry by name. Excludes local folders,
 * tarballs and `npx --no`, which never installs.
 * @param text a page, a source file, or JSON that holds pages
 */
export function packagesInText(text: string): readonly PackageInText[] {
  const lines = text
    .replaceAll(/\\n/g, '\n')
    .replaceAll(/ ?\\+\n\s*/g, ' ')
    .replaceAll(/(?<=\w )(["'])([^\s"']+)\1(?=[\s`]|$)/g, '$2')
  const commands = [...lines.matchAll(NODE_TOOLS)].map(([found]) =>
    found.trim().replace(/^(npm|pnpm|yarn|bun)(?: (?:--?(?:prefix|workspace|w|C|cwd) \S+|-\S+))+/, '$1'),
  )
  const foreign = [...lines.matchAll(OTHER_TOOLS)].flatMap(([command]) => {
    const name = OURS.exec(command)?.[0]
    return name === undefined || isLocal(name) ? [] : [{ command: command.trim(), name }]
  })
  const links = [...lines.matchAll(SPECIFIER), ...lines.matchAll(ADDRESS)].map(([command, name = '']) => ({
    command,
    name: withoutVersion(name),
  }))
  return [...commands.flatMap((command) => namesIn(command).map((name) => ({ command, name }))), ...foreign, ...links]
}
