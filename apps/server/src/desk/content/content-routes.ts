import {
  contentFile,
  getContent,
  listContent,
  listContentVersions,
  previewContent,
  publishContent,
  saveContent,
  withdrawContent,
} from '@fairlot/contract/desk'
import { isRefusal, refuse } from '../../http/refusal.ts'
import { shownText } from '../../i18n/shown-text.ts'
import type { DeskServices } from '../desk-services.ts'
import { createContentChanges } from './content-changes.ts'
import { cleanTexts } from './content-form.ts'
import { findContent, listContentRows, versionsOf, wholeContent } from './content-rows.ts'

/** Fifteen languages of the longest texts, in the longest letters. */
const TEXTS_BYTES_MAX = 3 * 1024 * 1024

/** News and announcements. */
export function registerContent(services: DeskServices): void {
  const { api, queries, now } = services
  const changes = createContentChanges(services)
  const bodyLimit = TEXTS_BYTES_MAX

  api.list(listContent, ({ input }, limit) => listContentRows(queries, input, now(), limit), {
    ...{ file: contentFile, rowsOf: ({ items }) => items },
  })
  api.operator(getContent, async ({ input: { id } }) => {
    const row = await findContent(queries, id)
    return row ? wholeContent(queries, row, now()) : refuse('contentNotFound')
  })
  api.operator(listContentVersions, async ({ input: { id, language } }) => ({
    versions: await versionsOf(queries, id, language),
  }))
  api.operator(saveContent, ({ operator, input }) => changes.save(operator, input), { bodyLimit })
  api.operator(
    previewContent,
    ({ input: { language, texts } }) => {
      const cleaned = cleanTexts(texts)
      if (isRefusal(cleaned)) return cleaned
      const written = cleaned.filter(({ title }) => title !== '')
      return { shown: shownText(written, language) }
    },
    { bodyLimit },
  )
  api.operator(publishContent, ({ operator, input }) => changes.publish(operator, input))
  api.operator(withdrawContent, ({ operator, input }) => changes.withdraw(operator, input))
}
