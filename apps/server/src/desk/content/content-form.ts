import { isPublicPicture, PUBLIC_PICTURE_PATH } from '@fairlot/contract'
import { CONTENT_LENGTH, type ContentText } from '@fairlot/contract/desk'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import { cleanHtml, isBlankHtml } from '../../news/clean-html.ts'

/** Texts as they are kept: clean, and with nothing around them. One without title and body takes its language out. */
export function cleanTexts(texts: readonly ContentText[]): ContentText[] | Refusal {
  const byLanguage = new Map<string, ContentText>()
  for (const text of texts) {
    const cleaned = cleanText(text)
    if (isRefusal(cleaned)) return cleaned
    byLanguage.set(text.language, cleaned)
  }
  return [...byLanguage.values()]
}

/** Null for a picture that a text may have. */
export const refusalOfPicture = (picture: string | null): Refusal | null =>
  picture === null || isPublicPicture(PUBLIC_PICTURE_PATH + picture)
    ? null
    : refuse('pictureUnknown', { field: 'picture' })

function cleanText({ language, ...given }: ContentText): ContentText | Refusal {
  for (const name of ['title', 'summary', 'body'] as const)
    if (given[name].length > CONTENT_LENGTH[name])
      return refuse('contentTooLong', { field: `${language}.${name}`, most: CONTENT_LENGTH[name] })
  const [title, summary, body] = [given.title.trim(), given.summary.trim(), cleanHtml(given.body)]
  if (title === '' && isBlankHtml(body)) return { language, title: '', summary: '', body: '' }
  if (title !== '' && !isBlankHtml(body)) return { language, title, summary, body }
  return refuse('contentTextsMissing', { field: `${language}.${title === '' ? 'title' : 'body'}` })
}
