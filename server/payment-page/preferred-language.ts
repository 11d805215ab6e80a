/** The first language of an `Accept-Language` that we have (RFC 9110, section 12.5.4); `fr-CD` is French. */
export function preferredLanguage<Language extends string>(
  header: string,
  isOurs: (language: unknown) => language is Language,
): Language | undefined {
  return header
    .toLowerCase()
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((piece) => piece.trim())
      const weight = parameters.find((piece) => piece.startsWith('q='))
      return { language: tag.split('-', 1)[0], weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ language }) => language)
    .find(isOurs)
}
