import { identityNumber } from '../../database/identity-schema.ts'
import { REMOVAL } from '../../database/file-schema.ts'
import { activitiesIn } from '../activity.ts'
import { moment } from './cells.ts'
import type { DataOf } from './data-of.ts'
import { byNumber, byPlace, type Section } from './section.ts'

/** Who somebody is to us, from where they came, and what they were told. */
export const personSections = (of: DataOf): readonly Section[] => [
  profile(of),
  identity(of),
  activity(of),
  sessions(of),
  consents(of),
  invitations(of),
  watched(of),
  messages(of),
  notices(of),
  supportChat(of),
  uploads(of),
]

const profile = ({ queries, userId }: DataOf): Section => ({
  name: 'profile',
  columns: [
    ...['id', 'number', 'isDemo', 'email', 'phone', 'area', 'language', 'inviteCode', 'creditScore'],
    ...['status', 'statusReason', 'secondFactor', 'verifiedAt', 'registeredAt'],
  ],
  pages: () =>
    byPlace(
      (part) =>
        queries
          .selectFrom('app_user')
          .leftJoin('member', 'member.user_id', 'app_user.id')
          .leftJoin('account', 'account.id', 'app_user.id')
          .leftJoin('verified_person', 'verified_person.user_id', 'app_user.id')
          .leftJoin('second_factor', 'second_factor.user_id', 'app_user.id')
          .select(['app_user.id', 'is_demo', 'invite_code', 'credit_score', 'app_user.created_at'])
          .select(['email', 'phone', 'area', 'language', 'account.status', 'account.status_reason'])
          .select(['verified_person.at as verified_at', 'second_factor.confirmed_at'])
          .where('app_user.id', '=', BigInt(userId))
          .limit(part.limit)
          .offset(part.offset)
          .execute(),
      (row) => ({
        ...{
          id: String(row.id),
          number: String(100_000n + row.id),
          isDemo: row.is_demo === 1n ? 'yes' : 'no',
        },
        ...{ email: row.email, phone: row.phone, area: row.area, language: row.language },
        ...{ inviteCode: row.invite_code, creditScore: Number(row.credit_score) },
        ...{ status: row.status, statusReason: row.status_reason },
        secondFactor: row.confirmed_at === null ? 'off' : 'on',
        ...{ verifiedAt: moment(row.verified_at), registeredAt: moment(row.created_at) },
      }),
    ),
})

/** The number of the document in clear: the archive is given only to whoever has shown again that it is the owner. */
const identity = ({ queries, vault, userId }: DataOf): Section => ({
  name: 'identity',
  columns: ['status', 'name', 'number', 'front', 'reverse', 'sentAt', 'timesSent', 'decidedAt', 'faults'],
  pages: () =>
    byPlace(
      (part) =>
        queries
          .selectFrom('identity_check')
          .selectAll()
          .where('user_id', '=', BigInt(userId))
          .limit(part.limit)
          .offset(part.offset)
          .execute(),
      (row) => ({
        ...{ status: row.status, name: row.name, number: vault.open(row.number, identityNumber(userId)) },
        ...{ front: row.front, reverse: row.reverse, sentAt: moment(row.sent_at) },
        ...{ timesSent: Number(row.times_sent), decidedAt: moment(row.decided_at), faults: row.faults },
      }),
    ),
})

/** Log-ins, changes of one's own and acts of operators, as the screen lists them. */
const activity = ({ queries, userId, translate }: DataOf): Section => ({
  name: 'activity',
  columns: ['at', 'by', 'text', 'role', 'reason', 'device', 'address'],
  pages: () =>
    byPlace(
      (part) => activitiesIn(queries, userId, part, translate),
      ({ at, by, text, role, reason, device, address }) => ({
        ...{ at: moment(at), by, text, role, reason, device, address },
      }),
    ),
})

const sessions = ({ queries, userId }: DataOf): Section => ({
  name: 'sessions',
  columns: ['startedAt', 'seenAt', 'device', 'address'],
  pages: () =>
    byPlace(
      (part) =>
        queries
          .selectFrom('session')
          .select(['created_at', 'seen_at', 'device', 'address'])
          .where('user_id', '=', BigInt(userId))
          .orderBy('created_at')
          .orderBy('token_hash')
          .limit(part.limit)
          .offset(part.offset)
          .execute(),
      (row) => ({
        ...{ startedAt: moment(row.created_at), seenAt: moment(row.seen_at) },
        ...{ device: row.device, address: row.address },
      }),
    ),
})

/** What stands behind the bell: kinds with their facts. */
const notices = ({ queries, userId }: DataOf): Section => ({
  name: 'notices',
  columns: ['at', 'kind', 'facts', 'readAt'],
  pages: () =>
    byPlace(
      (part) =>
        queries
          .selectFrom('notice')
          .select(['at', 'kind', 'facts', 'read_at'])
          .where('user_id', '=', BigInt(userId))
          .orderBy('at')
          .orderBy('id')
          .limit(part.limit)
          .offset(part.offset)
          .execute(),
      (row) => ({ at: moment(row.at), kind: row.kind, facts: row.facts, readAt: moment(row.read_at) }),
    ),
})

/** What was said with the support: by operators as a whole, without their names. */
const supportChat = ({ queries, userId }: DataOf): Section => ({
  name: 'supportChat',
  columns: ['at', 'by', 'text', 'picture'],
  pages: () =>
    byNumber(
      queries
        .selectFrom('chat_message')
        .select(['id', 'operator_id', 'text', 'picture', 'sent_at'])
        .where('user_id', '=', BigInt(userId)),
      'id',
      (row) => ({
        ...{ at: moment(row.sent_at), by: row.operator_id === null ? 'user' : 'support' },
        ...{ text: row.text, picture: row.picture },
      }),
    ),
})

const consents = ({ queries, userId }: DataOf): Section => ({
  name: 'consents',
  columns: ['version', 'language', 'at', 'address'],
  pages: () =>
    byPlace(
      (part) =>
        queries
          .selectFrom('consent')
          .selectAll()
          .where('user_id', '=', BigInt(userId))
          .orderBy('at')
          .orderBy('version')
          .limit(part.limit)
          .offset(part.offset)
          .execute(),
      ({ version, language, at, address }) => ({ version, language, at: moment(at), address }),
    ),
})

/** Who joined by the invitation is somebody else's data: only that and when. */
const invitations = ({ queries, userId }: DataOf): Section => ({
  name: 'invitations',
  columns: ['joinedAt'],
  pages: () =>
    byPlace(
      (part) =>
        queries
          .selectFrom('member')
          .innerJoin('app_user', 'app_user.id', 'member.user_id')
          .select(['created_at'])
          .where('invited_by', '=', BigInt(userId))
          .orderBy('app_user.id')
          .limit(part.limit)
          .offset(part.offset)
          .execute(),
      (row) => ({ joinedAt: moment(row.created_at) }),
    ),
})

const watched = ({ queries, userId, instrumentOf }: DataOf): Section => ({
  name: 'watch-list',
  columns: ['instrument'],
  pages: () =>
    byPlace(
      (part) =>
        queries
          .selectFrom('watched_instrument')
          .select('instrument_id')
          .where('user_id', '=', BigInt(userId))
          .orderBy('instrument_id')
          .limit(part.limit)
          .offset(part.offset)
          .execute(),
      (row) => ({ instrument: instrumentOf(Number(row.instrument_id)).code }),
    ),
})

/** Mails and text messages as they went out, codes masked. What an address was told before this account is not this account's. */
const messages = ({ queries, userId }: DataOf): Section => ({
  name: 'messages',
  columns: ['at', 'channel', 'recipient', 'subject', 'text', 'state', 'sentAt'],
  pages: () =>
    byPlace(
      (part) =>
        queries
          .selectFrom('outbox')
          .innerJoin('member', (join) =>
            join.on(({ eb, ref, or }) =>
              or([
                eb('outbox.recipient', '=', ref('member.email')),
                eb('outbox.recipient', '=', ref('member.phone')),
              ]),
            ),
          )
          .innerJoin('app_user', 'app_user.id', 'member.user_id')
          .select(['outbox.created_at', 'channel', 'recipient', 'subject', 'shown', 'state', 'sent_at'])
          .where('member.user_id', '=', BigInt(userId))
          .whereRef('outbox.created_at', '>=', 'app_user.created_at')
          .orderBy('outbox.created_at')
          .orderBy('outbox.id')
          .limit(part.limit)
          .offset(part.offset)
          .execute(),
      (row) => ({
        ...{ at: moment(row.created_at), channel: row.channel, recipient: row.recipient },
        ...{ subject: row.subject, text: row.shown, state: row.state, sentAt: moment(row.sent_at) },
      }),
    ),
})

/** The pictures themselves lie beside it, by their keys. */
const uploads = ({ queries, userId }: DataOf): Section => ({
  name: 'uploads',
  columns: ['key', 'type', 'bytes', 'width', 'height', 'sha256', 'usedBy', 'at'],
  pages: () =>
    byPlace(
      (part) =>
        queries
          .selectFrom('stored_file')
          .selectAll()
          .where('user_id', '=', BigInt(userId))
          .where(({ eb, or }) => or([eb('used_by', 'is', null), eb('used_by', '!=', REMOVAL)]))
          .orderBy('created_at')
          .orderBy('key')
          .limit(part.limit)
          .offset(part.offset)
          .execute(),
      (row) => ({
        ...{ key: row.key, type: row.content_type, bytes: Number(row.bytes), width: Number(row.width) },
        ...{
          height: Number(row.height),
          sha256: row.sha256,
          usedBy: row.used_by,
          at: moment(row.created_at),
        },
      }),
    ),
})
