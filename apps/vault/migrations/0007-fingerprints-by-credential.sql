-- Those of equal plaintexts of a tenant were equal. New ones are under a key of their credential; of old ones a hash with its id stays.
update vault.credential
set fingerprint = 'hmac-sha256:' || encode(sha256(convert_to(id::text || fingerprint, 'UTF8')), 'hex');
