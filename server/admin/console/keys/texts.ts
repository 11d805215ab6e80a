import { pageTexts } from '../look/languages.ts'

export const KEY_TEXTS = pageTexts({
  en: {
    intro: 'Keys are shown once, when they are made. A new key overlaps the old one, so that nothing fails meanwhile.',
    publicHint: 'It names the merchant in each request, and is no secret.',
    secret_keyHint: 'Your servers send it with each request that needs it.',
    signing_keyHint: 'It signs callbacks and redirects (HMAC); your servers check them with it.',
    webhook_secretHint: 'It signs callbacks by Standard Webhooks; your servers check them with it.',
    id: 'Key',
    created: 'Made',
    valid: 'valid',
    until: 'valid until {at}',
    ended: 'ended {at}',
    rotate: 'Make a new one',
    rotateTitle: 'A new {kind}',
    keepOld: 'How long the old one stays valid',
    s0: 'It ends at once: it has leaked',
    s3600: '1 hour',
    s86400: '1 day',
    s604800: '7 days',
    s2592000: '30 days',
    secret_keyWill: 'The next page shows the new key, once. Both keys work until the old one ends.',
    signing_keyWill:
      'The next page shows the new key, once. The old key signs until it ends, and the new one from then on: your servers must accept both until then.',
    webhook_secretWill:
      'The next page shows the new secret, once. Callbacks are signed with both until the old one ends.',
    madeTitle: 'Your new {kind}',
    keepIt: 'Keep it now: nobody is shown it again',
    oldUntil: 'Key {id} stays valid until {at}.',
    oldEnded: 'Key {id} is no longer valid.',
    toKeys: 'To the keys',
    inbox: 'To see a signed callback arrive without a server of your own, look at the inbox of the sandbox (/sandbox).',
  },
  fr: {
    intro:
      'Les clés sont montrées une seule fois, à leur création. Une nouvelle clé chevauche l’ancienne, pour que rien n’échoue entre-temps.',
    publicHint: 'Elle nomme le marchand dans chaque requête et n’est pas secrète.',
    secret_keyHint: 'Vos serveurs l’envoient avec chaque requête qui l’exige.',
    signing_keyHint: 'Elle signe les notifications et redirections (HMAC) ; vos serveurs les vérifient avec elle.',
    webhook_secretHint: 'Il signe les notifications selon Standard Webhooks ; vos serveurs les vérifient avec lui.',
    id: 'Clé',
    created: 'Créée',
    valid: 'valable',
    until: 'valable jusqu’au {at}',
    ended: 'terminée le {at}',
    rotate: 'En créer une nouvelle',
    rotateTitle: 'Nouvelle clé : {kind}',
    keepOld: 'Combien de temps l’ancienne reste valable',
    s0: 'Elle se termine aussitôt : elle a fui',
    s3600: '1 heure',
    s86400: '1 jour',
    s604800: '7 jours',
    s2592000: '30 jours',
    secret_keyWill:
      'La page suivante montre la nouvelle clé, une fois. Les deux fonctionnent jusqu’à la fin de l’ancienne.',
    signing_keyWill:
      'La page suivante montre la nouvelle clé, une fois. L’ancienne signe jusqu’à sa fin, la nouvelle ensuite : vos serveurs doivent accepter les deux jusque-là.',
    webhook_secretWill:
      'La page suivante montre le nouveau secret, une fois. Les notifications sont signées avec les deux jusqu’à la fin de l’ancien.',
    madeTitle: 'Votre nouvelle clé : {kind}',
    keepIt: 'Gardez-la maintenant : personne ne la reverra',
    oldUntil: 'La clé {id} reste valable jusqu’au {at}.',
    oldEnded: 'La clé {id} n’est plus valable.',
    toKeys: 'Vers les clés',
    inbox:
      'Pour voir arriver une notification signée sans serveur à vous, regardez la boîte de réception du bac à sable (/sandbox).',
  },
})
