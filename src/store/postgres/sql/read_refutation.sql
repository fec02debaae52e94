-- Whether a mark was put there by a refutation, now or in an attempt whose own reply was
-- lost. A statement of its own, for it must see what refute_commit_mark has waited for.
-- $1 committer_id  $2 number
SELECT EXISTS (
    SELECT FROM commit_mark
    WHERE committer_id = $1::uuid AND number = -($2::bigint)
);
