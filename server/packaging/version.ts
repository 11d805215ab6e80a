// The version stands in many places, and there is one: a release writes all of them, and a test compares them.

/** What stands before a version of ours: a name in a manifest, a tarball, a package, an image, a tag. */
const BEFORE = [
  String.raw`"name": "(?:malipo|@malipo/[a-z-]+|schemathesis-runner-wrapper)",\s+"version": "|schemathesis-runner-wrapper": {\s+"version": "`,
  String.raw`\b(?:malipo-[a-z-]+|schemathesis-runner-wrapper)[-/]`,
  String.raw`(?:@malipo/[a-z-]+|schemathesis-runner-wrapper)@`,
  String.raw`/malipo(?:[-/][a-z-]+)?:`,
  String.raw`contract-tests@v|--branch v|newTag: |appVersion: '?`,
]
const MENTION = new RegExp(String.raw`(?<=${BEFORE.join('|')})\d+\.\d+\.\d+\b`, 'g')
/** Of the contracts that we make; those in `openapi/operators/` belong to others. */
const CONTRACT = /^openapi\/\w+\.yaml$/
const CONTRACT_VERSION = /(?<=^ {2}version: )\d+\.\d+\.\d+$/m

/** What was true once, what is generated, and examples. */
const EXCLUDED = /(^|\/)CHANGELOG\.md$|\.test\.ts$|^generated\/|^openapi\/release\/\w+\.json$/

/** The versions of ours that a file names. @param path from the root of the repository */
export function versionsIn(path: string, text: string): readonly string[] {
  if (EXCLUDED.test(path)) return []
  return [...(text.match(MENTION) ?? []), ...(CONTRACT.test(path) ? (CONTRACT_VERSION.exec(text) ?? []) : [])]
}

/** The file with another version in all these places. */
export function withVersion(path: string, text: string, version: string): string {
  if (EXCLUDED.test(path)) return text
  const named = text.replaceAll(MENTION, version)
  return CONTRACT.test(path) ? named.replace(CONTRACT_VERSION, version) : named
}
