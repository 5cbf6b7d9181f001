import type { Transaction } from 'kysely'
import { createMembers } from '../../auth/members.ts'
import type { Tables } from '../../database/schema.ts'
import { faultLines } from '../../i18n/identity-faults.ts'
import { languageOf, translatorFor } from '../../i18n/translate.ts'
import type { DeskServices } from '../desk-services.ts'
import type { IdentityNews } from './identity-news.ts'

/** Tells a person what was decided: by mail, written with the decision, and on their screens once it is made. */
export type IdentityTelling = {
  write(news: IdentityNews, within: Transaction<Tables>): Promise<void>
  send(news: IdentityNews): void
}

/** Looks who it is before a transaction begins: an embedded database has one connection. */
export async function identityTelling(
  { queries, notifier, tellIdentity }: DeskServices,
  userId: number,
): Promise<IdentityTelling> {
  const member = await createMembers(queries).byId(userId)
  return {
    write: async (news, within) => {
      if (!member) return
      const translate = translatorFor(languageOf(member.addressee.language))
      const values = {
        ...(news.kind === 'identityRejected' && { faults: faultLines(translate, news.faults) }),
        ...(news.kind === 'identityUnverified' && { reason: news.reason }),
      }
      await notifier.write(news.kind, member.addressee, values, within)
    },
    send: (news) => {
      notifier.send()
      tellIdentity(userId, news)
    },
  }
}
