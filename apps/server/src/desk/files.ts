import { mayDo, uploadPublicPicture, viewProof } from '@fairlot/contract/desk'
import { IDENTITY_CASE } from '../platform/database/identity-schema.ts'
import { isRefusal, refuse } from '../platform/refusal.ts'
import type { DeskServices } from './desk-services.ts'

/**
 * Users' pictures, for the roles that check them, with an audit entry before each view; and pictures that operators
 * publish.
 */
export function registerDeskFiles({ api, auditLog, shared: { pictures, takeIn } }: DeskServices): void {
  api.file(viewProof, async ({ operator, input: { key } }) => {
    const file = await pictures.find(key)
    // Pictures of a chat are for support only.
    const bytes = file && !file.usedBy?.startsWith('chat:') ? await pictures.bytesOf(file) : null
    if (!file || !bytes) return refuse('fileUnknown')
    const subject = file.usedBy ?? `picture:${key}`
    const seen = { operator, subject, accountId: file.userId, caseKey: file.usedBy }
    // Fewer roles may see identity documents than proofs of deposits.
    const act = file.usedBy?.startsWith(IDENTITY_CASE) ? 'viewIdentity' : 'viewProof'
    if (!mayDo(operator.role, act)) {
      await auditLog.recordRefusal({ ...seen, act }, refuse('roleRefused'))
      return refuse('roleRefused')
    }
    const answer = { bytes, type: file.type, name: 'picture.jpg' }
    return auditLog.performWithoutReason({ ...seen, act, after: { picture: key, sha256: file.sha256 } }, () =>
      Promise.resolve(answer),
    )
  })

  api.upload(uploadPublicPicture, async ({ operator, ...sent }) => {
    const kept = await takeIn(`operator ${operator.id}`, sent, (original) =>
      pictures.keepPublic(operator.id, original),
    )
    if (isRefusal(kept)) return kept
    const subject = `picture:${kept.url}`
    return auditLog.performWithoutReason({ operator, act: 'uploadPicture', subject }, () =>
      Promise.resolve(kept),
    )
  })
}
