-- As in the vault. Records of older credentials keep what they were made with.
update control_plane.credential
set fingerprint = 'sha256:' || encode(sha256(convert_to(id::text || fingerprint, 'UTF8')), 'hex');
