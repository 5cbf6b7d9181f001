import {
  countUnreadNotices,
  getNoticeChoices,
  listNotices,
  readNotices,
  switchNotices,
} from '@fairlot/contract'
import type { Engine } from '../engine/engine.ts'
import type { Api } from '../http/api.ts'
import { refuse } from '../http/refusal.ts'
import { GROUPS, isSwitchable, switchedOff, switchNotice } from '../notifications/notice-choices.ts'
import { countUnread, listNoticesOf, markRead, type NoticeSources } from './notices.ts'

type NoticeOptions = NoticeSources & { readonly engine: Pick<Engine, 'caughtUp'> }

/** What users are told of, and how they want to hear of it. */
export function registerNotices(api: Api, { engine, ...sources }: NoticeOptions): void {
  const { queries } = sources

  api.user(listNotices, async ({ user, input, language, translate }) => {
    await engine.caughtUp()
    return listNoticesOf(sources, { userId: user.id, language, translate }, input.page)
  })

  api.user(countUnreadNotices, async ({ user }) => {
    await engine.caughtUp()
    return { count: await countUnread(sources, user.id) }
  })

  api.user(readNotices, async ({ user, input: { upTo } }) => {
    await markRead(sources, user.id, upTo)
    return null
  })

  api.user(getNoticeChoices, async ({ user }) => {
    const off = await switchedOff(queries, user.id)
    const choices = GROUPS.map((group) => {
      const isOn = (way: 'app' | 'mail') => (isSwitchable(group, way) ? !off.has(`${group}.${way}`) : null)
      return { group, app: isOn('app'), mail: isOn('mail') }
    })
    return { choices }
  })

  api.user(switchNotices, async ({ user, input }) => {
    if (!isSwitchable(input.group, input.way)) return refuse('noticeStaysOn', { group: input.group })
    await switchNotice(queries, user.id, input)
    return null
  })
}
